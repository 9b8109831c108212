// What a request may say: addresses and headers, before anything is connected.
export { canonicalUrl, parseWebUrl, type ParsedUrl } from './url.ts'
export { checkHeaders, mostHeaders } from './headers.ts'
