/** The features with endpoints that every server has, each with a sentence about it, for help that loads none of them. */
export const ownFeatureSummaries: Readonly<Record<string, string>> = {
  monitors: 'Checks pages on a schedule: creates, lists and runs monitors.',
  datasets: 'Stores rows with a key and a history: adds, queries and exports them.',
  extractors: 'Lists and edits learned extractors, which read the pages of a site without a model.',
  chunks: 'Lists the chunks that a crawl or batch found added, changed and removed.',
  siteApis: 'Learns, lists and deletes site APIs, which return the items of a page without a browser.',
  scripts: 'Records what is done in a live browser, and runs it again with other values and without a model.',
  records: 'Returns and deletes the records of requests.',
  browsers: 'Opens, drives and ends live browsers.',
  profiles: 'Imports, exports, lists and deletes browser profiles.',
  people: 'Lists and ends requests to people, who log in where a page needs them.',
  team: 'Shows the credits, usage and queue of your team.',
  activity: 'Lists the requests of your team and their costs.',
  feedback: 'Stores and lists feedback on the results of your team.',
}
