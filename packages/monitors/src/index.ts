// The public names, one by one. What is not here is not public.
export { feedForms, type Feed, type FeedForm } from './feed.ts'
export { monitors, type Listing, type Monitors, type MonitorsPlugin } from './monitors.ts'
export { monitorsOptionsSchema, type MonitorsOptions } from './options.ts'
export {
  changedMonitorSchema,
  checkListSchema,
  checkPagesSchema,
  listSchema,
  newMonitorSchema,
  type ChangedMonitor,
  type CheckStatus,
  type NewMonitor,
  type PageStatus,
} from './requests/monitor.ts'
export type { CheckedPage, Judgment, PageDiff, Summary } from './records/check.ts'
export type { Check, CheckWithPages, Monitor } from './shown.ts'
