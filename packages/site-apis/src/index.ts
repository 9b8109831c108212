// Public exports of `@harvestman/data/site-apis`.
export type { SiteApi } from './catalog.ts'
export { siteApis, type SiteApisOptions, type SiteApisPlugin } from './plugin.ts'
export { recipeSchema, type Recipe } from './recipe.ts'
