// A crawl and two batches while each process of an earlier version is replaced by one of this version.
//   node test/bench/many/upgrade.ts <commit of the earlier version> [pages: 1500] [stores: redis,postgres]
import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { installEarlier } from '../../e2e/many/earlier-version.ts'
import { upgradeWhileCrawling } from '../../e2e/many/upgrade.ts'

const [commit = '', pagesText = '1500', storesText = 'redis,postgres'] = process.argv.slice(2)
const earlier = installEarlier(commit)
process.on('exit', earlier.remove)

for (const name of storesText.split(',')) {
  const store = await (name === 'redis' ? startRedis('--appendonly', 'yes') : startPostgres())
  const did = (step: string): void => console.error(`  ${name}: ${step}`)
  const upgraded = await upgradeWhileCrawling({
    ...{ store: store.url, earlier: earlier.command, pages: Number(pagesText), did },
  })
  await store.remove()
  console.log(`${name}: ${JSON.stringify(upgraded)}`)
}
process.exit()
