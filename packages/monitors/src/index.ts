// Public exports of the package.
export { feedForms, type Feed, type FeedForm } from './feed.ts'
export { monitors, type Monitors, type MonitorsPlugin } from './monitors.ts'
export { monitorsOptionsSchema, type MonitorsOptions } from './options.ts'
export {
  changedMonitorSchema,
  newMonitorSchema,
  type ChangedMonitor,
  type CheckStatus,
  type NewMonitor,
  type PageStatus,
} from './requests/monitor.ts'
export { smtpMail, type Mail, type SendMail, type SmtpServer } from './notify/smtp.ts'
export type { Check, CheckedPage, CheckWithPages, Monitor } from './results.ts'
