// The public names, one by one. What is not here is not public.
export type { Finding } from './examination.ts'
export type { Limit } from './limits.ts'
export { withWebPage, type WebPageOptions } from './web-page.ts'
