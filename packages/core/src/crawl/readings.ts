// Encoded, because most pages have many links, and counting and copying each of them costs more than parsing the list.
export const allLinks = { field: 'page.allLinks', name: 'allLinks', options: null, encode: true }
export const unseenLinks = { field: 'page.unseenLinks', name: 'unseenLinks', options: null }
export const pageWords = { field: 'page.fingerprint', name: 'fingerprint', options: null }

/** Values to read from each page in addition to its document. */
export const crawlReadings = [allLinks, unseenLinks, pageWords]
