/** The views of the page by the first part of the URL hash. The HTML contains them before any script runs. */
export const views = [
  ['try', 'Try'],
  ['jobs', 'Jobs'],
  ['changes', 'Changes'],
  ['monitors', 'Monitors'],
  ['datasets', 'Datasets'],
  ['browsers', 'Browsers'],
  ['scripts', 'Scripts'],
  ['activity', 'Activity'],
  ['keys', 'Keys'],
  ['connect', 'Connect'],
  ['status', 'Status'],
  ['api', 'API'],
] as const

/** The views in the main navigation; the others are in its menu. */
export const everyday: readonly string[] = ['try', 'jobs', 'monitors', 'datasets']

/** The other views, as groups of the menu. */
export const menuGroups: readonly (readonly [title: string, views: readonly string[]])[] = [
  ['Work', ['changes', 'browsers', 'scripts', 'activity']],
  ['Server', ['keys', 'connect', 'status', 'api']],
]

/** SVG path of the logo's legs. */
export const legs =
  'M13 15 5 7 2 15M13 17 4 18 1 27M15 18 9 24 8 31M19 15 27 7 30 15M19 17 28 18 31 27M17 18 23 24 24 31'
