import { startSite } from '@harvestman/testing'

const { url } = await startSite()
process.send?.(url)
