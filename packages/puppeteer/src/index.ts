export { puppeteerBrowser } from './browser.ts'
export { findBrowser, type Found, type Wish } from './find.ts'
export type { BrowserEvent, PuppeteerOptions, RecycleOptions } from './options.ts'
export { puppeteerSessions } from './live/sessions.ts'
