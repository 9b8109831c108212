import { teamFeature, type Feature } from '@harvestman/core/plugin'
import { data } from '@harvestman/data'
import { siteApis } from '@harvestman/data/site-apis'
import { hosting } from '@harvestman/http/hosting'
import { live } from '@harvestman/live'
import { monitors } from '@harvestman/monitors'
import { records } from '@harvestman/record'
import { people } from '@harvestman/live/people'
import { scripts } from '@harvestman/live/scripts'

/** The features with endpoints that every server has, for programs that list endpoints without an engine. */
export const ownFeatures: readonly Feature[] = [
  ...monitors().features,
  ...data().features,
  ...siteApis({ enabled: false }).features,
  ...scripts().features,
  ...records().features,
  ...live().features,
  ...people().features,
  teamFeature,
  ...hosting().features,
].filter(({ endpoints }) => Object.keys(endpoints).length > 0)
