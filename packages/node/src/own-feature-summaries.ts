/** The features with endpoints that every server has, each with a sentence about it, for help that loads none of them. */
export const ownFeatureSummaries: Readonly<Record<string, string>> = {
  monitors: 'Checks pages on a schedule: creates, lists and runs monitors.',
  datasets: 'Keeps rows with a key and a history: adds, queries and exports them.',
  extractors: 'Lists and edits what was learned about the pages of sites.',
  scripts: 'Runs what was done in a live browser once more, with other values and without a model.',
  records: 'Returns and deletes the records of requests.',
  browsers: 'Opens, drives and ends live browsers.',
  team: 'Shows the credits, usage and queue of your team.',
  activity: 'Lists the requests of your team and their costs.',
}
