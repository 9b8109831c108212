// Public exports of the package. Everything else is internal.
import './lib/node-version.ts'

export { createEngine } from './engine/engine.ts'
export type { FeaturesOf } from './engine/features.ts'
export type { Call, Capabilities, CoreEngine, Engine, EngineOptions } from './engine/types.ts'
export { EngineError, errorCodes, type ErrorCode, type ErrorDetails } from '@harvestman/ports'
export type { AnyDocument, Metadata } from './scrape/document.ts'
export { fileBlobs, type FileBlobsOptions } from '@harvestman/embedded'
export { memoryBlobs, type MemoryBlobsOptions } from '@harvestman/embedded'
export {
  staticProxies,
  type ProxyBudget,
  type ProxyPrice,
  type ProxyStatus,
  type StaticProxies,
  type StaticProxiesOptions,
  type StaticProxy,
  type StaticProxyOptions,
} from '@harvestman/net'
export type { ExplainedBlock, Explanation } from './scrape/explain.ts'
export type { KnownHost } from './scrape/hosts.ts'
export type { Step } from './scrape/steps.ts'
export { storeLedger, type StoreLedgerOptions } from '@harvestman/coordination'
export { embeddedQueue, memoryStore } from '@harvestman/embedded'
export type { Crawl } from './crawl/crawl.ts'
export type { ExplainedUrl, ExplainOptions } from './crawl/explain.ts'
export type { Reason } from './crawl/reasons.ts'
export type {
  Job,
  JobError,
  JobErrors,
  JobEvent,
  JobPage,
  JobRow,
  JobRows,
  JobStatus,
  PageRange,
  RowRange,
  UnsentMessage,
  WebhookState,
} from './jobs/handle.ts'
export { outcomeOf, type JobOutcome } from './jobs/handle.ts'
export type { JobListPage, JobQuery, ListedJob } from './jobs/listing.ts'
export { verifyWebhook, type Received } from '@harvestman/webhooks'
export type { FindAnswer, FindJob, JobCall, MapCall } from './engine/job-call.ts'
export type { Batch } from './batch/batch.ts'
export type { MapLink } from './map/collection.ts'
export type { ImageResult, NewsResult, WebResult } from './search/hits.ts'
export type { SearchResult } from './search/search.ts'
export type { MapResult } from './map/map.ts'
export type {
  ActionEntry,
  ActionsOf,
  BatchInput,
  CrawlInput,
  DocumentFor,
  FormatEntry,
  FormatsOf,
  MapInput,
  ParseInput,
  ScrapeInput,
  SearchInput,
} from './types.ts'
export { limitHeap } from './lib/limit-heap.ts'
export { turndown } from './formats/turndown.ts'
export type { Admission, Asked, RateVerdict, TeamCall } from './plugin/admission.ts'
export type { ServerRequest, ServerCall, AdmitServerRequest } from './engine/requests.ts'
export {
  activityEndpoints,
  endpointGroups,
  endpointOf,
  type EndpointGroup,
  type KeyScopes,
  type RateGroup,
  type TeamLimits,
} from './schema/team.ts'
export type { PageDiff, PageHistory, PageVersion } from './changes/page-history.ts'
export type { DiffChange, DiffChunk, DiffFile, TextDiff } from '@harvestman/diff'
export type { ChangeTracking } from './formats/change-tracking.ts'
export type { CrawlPlan } from './crawl-plan/crawl-plan.ts'
export type { CrawlProposal, DroppedOption } from './crawl-plan/judge.ts'
export type { Preview, PriceReason } from './plugin/price.ts'
export type {
  EngineChanges,
  EngineHosts,
  PreviewKind,
  EngineResults,
  SearchCall,
  UncheckedApi,
} from './engine/types.ts'
export type { JobsApi } from './engine/jobs-api.ts'
export type { JobOf, JobsOf, RequestOf, StatusOf, UncheckedKinds } from './engine/by-kind.ts'
export type { UntypedJobsApi, UncheckedJobs } from './engine/jobs.ts'
export type { PartJob, PartStatus } from './answers/part-job.ts'
