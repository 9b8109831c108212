// The public names, one by one. What is not here is not public.
export { withWebPage, type WebPageOptions } from './web-page.ts'
