// Validation of URLs and headers before any connection is made.
export { canonicalUrl, parseWebUrl, type ParsedUrl } from './url.ts'
export { checkHeaders, maxHeaders } from './headers.ts'
