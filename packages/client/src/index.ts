// The public API of this package.
export {
  createClient,
  type ClientOf,
  type FindAny,
  type FindKnown,
  type HarvestmanClient,
  type StartAny,
  type StartKnown,
  type StartOptions,
} from './client.ts'
export type { Changes, ListedPage, PageDiff, PageHistory, PageVersion, TrackedPage } from './changes.ts'
export { HarvestmanError } from './error.ts'
export type { FeaturesOf, ListedEndpoint, ListedFeature } from './features.ts'
export type { ParseFormat, UploadedFile, UploadOptions } from './files.ts'
export type { ClientOptions, RequestOptions } from './http.ts'
export type { AnyJob, CrawlJob, Job, JobRows, RowsQuery, WaitOptions } from './job.ts'
export type { AnswerJob, AnswerState, Kind, KindRequest, KindState, ListedKind } from './kind.ts'
export type { ReplayedPage, Replays } from './replays.ts'
export type { Thread, ThreadOptions, ThreadRun } from './threads.ts'
export { chunksOf, itemsOf, type ListPage } from './lists.ts'
export type {
  BrowserEnd,
  Browsers,
  BrowserShare,
  BrowserState,
  Executed,
  Interacted,
  ListedBrowser,
  OpenedBrowser,
  ActiveHour,
  Activity,
  ActivityEntry,
  ActivityPage,
  CostHour,
  CostRow,
  PricePreview,
  Feedback,
  GivenFeedback,
  Team,
  TeamQueue,
  ThreatPolicy,
  NewThreatPolicy,
  Usage,
  UsagePeriod,
  Dataset,
  DatasetRow,
  Datasets,
  NewDatasetRow,
  PutResult,
  QueryAnswer,
  CheckedPage,
  Monitor,
  MonitorCheck,
  MonitorCheckPages,
  Monitors,
  MonitorSummary,
  ChangedMonitor,
  NewMonitor,
  Extractor,
  ExtractorProgram,
  Extractors,
  ExtractorVersion,
  OwnFeatures,
  KeptScript,
  Records,
  Script,
  ScriptHistory,
  ScriptRun,
  ScriptTarget,
  Scripts,
  ScriptVersion,
} from './own-features.ts'
export type {
  CrawlPlan,
  DocumentOf,
  ExplainedUrl,
  FoundImage,
  JobErrors,
  JobKind,
  JobQuery,
  ListedJob,
  JobEvent,
  JobRow,
  JobState,
  MapAnswer,
  ParseRequest,
  RunningCrawl,
  ScrapeRequest,
  SearchAnswer,
  SearchRequest,
  UnsentMessage,
  WebhookState,
} from './requests.ts'
export type { OwnShapes, Shapes, ShapesOf, TypedEngine } from './server.ts'
export type {
  ActionEntry,
  BatchRequest,
  CrawlRequest,
  Document,
  FormatEntry,
  MapRequest,
  ScrapeOptions,
} from './types.ts'
