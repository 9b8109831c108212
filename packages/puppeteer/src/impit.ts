// The entry point `@harvestman/puppeteer/impit`, which loads neither puppeteer-core nor impit.
export { impitFetcher, isImpitInstalled } from './impit/fetcher.ts'
export type { ImpitOptions } from './impit/options.ts'
