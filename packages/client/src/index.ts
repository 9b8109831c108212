// The public names, one by one. What is not here is not public.
export { createClient, type HarvestmanClient, type StartOptions } from './client.ts'
export { HarvestmanError } from './error.ts'
export type { ClientOptions } from './http.ts'
export type { Job, WaitOptions } from './job.ts'
export type { AnswerJob, AnswerState, Kind, KindRequest, KindState, ListedKind } from './kind.ts'
export type {
  DocumentOf,
  FoundImage,
  JobErrors,
  JobKind,
  JobQuery,
  ListedJob,
  JobEvent,
  JobState,
  MapAnswer,
  ParseRequest,
  ScrapeRequest,
  SearchAnswer,
  SearchRequest,
} from './requests.ts'
export type {
  ActionEntry,
  BatchRequest,
  CrawlRequest,
  Document,
  FormatEntry,
  MapRequest,
  ScrapeOptions,
} from './types.ts'
