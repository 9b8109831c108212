import { data } from '@harvestman/data'
import { siteApis } from '@harvestman/data/site-apis'
import { people } from '@harvestman/live/people'
import { scripts } from '@harvestman/live/scripts'
import { monitors } from '@harvestman/monitors'
import { records } from '@harvestman/record'

/** Plugins whose features every server has, besides hosting and live browsers. Tests of all endpoints need each of them. */
export const servedPlugins = () => [data(), siteApis(), monitors(), records(), scripts(), people()] as const
