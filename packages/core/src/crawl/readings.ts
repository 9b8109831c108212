// Most pages have many links. The thread that reads the page returns the list as JSON bytes, and `decodeReadings` parses them here:
// this takes less time than counting and copying each string of a list.
export const allLinks = { field: 'page.allLinks', name: 'allLinks', options: null, encode: true }
export const unseenLinks = { field: 'page.unseenLinks', name: 'unseenLinks', options: null }
export const pageWords = { field: 'page.fingerprint', name: 'fingerprint', options: null }

/** Values to read from each page in addition to its document. */
export const crawlReadings = [allLinks, unseenLinks, pageWords]
