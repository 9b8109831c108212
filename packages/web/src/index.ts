// The public API of this package.
export type { Finding } from './examination.ts'
export type { Limit } from './limits.ts'
export { withWebPage, type WebPageOptions } from './web-page.ts'
