export { readNewRows, readListSize, scrollToLast, sweep } from './lists.ts'
export { fetchJson, requestedUrls } from './requests.ts'
