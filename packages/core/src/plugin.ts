// Entry point for plugin authors: functions to define parts, and the fields to build on.
export {
  defineAction,
  defineField,
  defineFormat,
  defineGate,
  defineKeeper,
  defineLoader,
  defineParser,
  definePlugin,
  definePolicy,
  pass,
} from './plugin/define.ts'
export { redact, type Redaction } from './redact/redact.ts'
export { defineReading, type ReadingInput } from './plugin/reading.ts'
export type { PageTree, TreeElement, TreeNode, TreeText } from '@harvestman/html/internal'
export { proxyOutcome } from '@harvestman/toolbox/proxy-outcome'
export { pickProxy, proxySession } from './lib/pick-proxy.ts'
export { browserPort, llmPort, proxiesPort, searchPort, sessionsPort } from './plugin/core-ports.ts'
export type {
  DeriveContext,
  FurtherPage,
  LoadFurther,
  PageReading,
  ReadingModule,
  ReadMore,
  Field,
  Format,
  KeepContext,
  Keeper,
  KeeperContext,
  RevisitContext,
  ReadingRequest,
  WantedPage,
} from './plugin/field.ts'
export { placesOf } from './citations/places.ts'
export type { FilePlace, PlacedBlock } from './schema/file-place.ts'
export { validatorsOf, type KeptCopy, type Listed, type RevisitChoice, type Revisited } from './plugin/revisit.ts'
export type { Admission, Admit, Asked, AskedBy } from './plugin/admission.ts'
export type { Gate, GateKit, OpenGate, RequestNote } from './plugin/gate.ts'
export type { LoggedInMarker, OpenProfile, Profiles, ProfileSummary } from './plugin/profiles.ts'
export { loggedInMarker, personOption, profileName, profileOption } from './schema/profile.ts'
export {
  pageWaitsPort,
  recordedTrafficPort,
  usableBrowsersPort,
  type FoundRecord,
  type PageAttempt,
  type PageWait,
  type PageWaits,
  type RecordedResponse,
  type RecordedTraffic,
  type RecordReading,
  type UsableBrowser,
  type UsableBrowsers,
} from './plugin/core-ports.ts'
export { screeningPort, type Screening, type ScreeningContext, type ScreeningVerdict } from './plugin/screening.ts'
export { definePort, providePort, type Port, type ProvidedPort } from './plugin/port.ts'
export type { PluginStore } from './plugin/store.ts'
export type { Action, ActionContext, ActionResult, BrowserNeeds } from './plugin/action.ts'
export type {
  Block,
  Content,
  ContentBlock,
  ContentImage,
  ContentPage,
  EnginePorts,
  LoadJob,
  Loader,
  LoaderKit,
  Page,
  ParseContext,
  FileType,
  InnerParsing,
  Parser,
  Pass,
  Plugin,
  PlainText,
  PluginContext,
  TextFileKind,
} from './plugin/parts.ts'
export type { DocumentBound } from '@harvestman/threads'
export { jsonFormat, type ExtractionTask, type KnownAnswers } from './formats/json.ts'
export { schemaToFill } from './formats/readings.ts'
export { html } from './formats/html.ts'
export { hiddenText, images, links } from './formats/lists.ts'
export { markdown } from './formats/markdown.ts'
export { metadata, title } from './formats/metadata.ts'
export { rawHtml } from './formats/raw-html.ts'
export { dom } from './formats/dom.ts'
// For loaders and fetchers that hand over bytes that nothing else uses.
export { ownBytes } from '@harvestman/ports/values'
export { joinInTurns } from '@harvestman/toolbox/join-in-turns'
export { estimateTokens } from '@harvestman/toolbox/tokens'
export type { Policy, PolicyAction, PolicyContext, PolicyElement, PolicyPage, PolicyQuestion } from './plugin/policy.ts'
// For features.
export { problemsAt } from './schema/problems.ts'
export {
  hasInput,
  paramNames,
  type Endpoint,
  type EndpointCall,
  type EndpointCommand,
  type EndpointFile,
  type EndpointInput,
  type EndpointMethod,
  type Endpoints,
  type FeatureCall,
  type Immutable,
  type MakeEndpoint,
  type MethodOf,
  type MethodsOf,
  type Printed,
  type PrintedLine,
} from './plugin/endpoint.ts'
export type {
  CommandCall,
  CommandInput,
  CommandOutput,
  FeatureCommand,
  FeatureCommands,
  MakeCommand,
} from './plugin/command.ts'
export type { NoInput, NoOutput } from './plugin/nothing.ts'
export { fileOutput, fileTypesOf, jobId, resultFormOf, type ResultForm } from './plugin/make-endpoint.ts'
export { callersOf, type EndpointRequest } from './plugin/callers.ts'
export type { ServedFeature } from './engine/served-features.ts'
export {
  defineFeature,
  type AdmittedCaller,
  type CreditHold,
  type EngineWork,
  type Feature,
  type FeatureDocument,
  type FeatureEngine,
  type FeatureInput,
  type ServedFeatureInput,
  type FeatureJob,
  type FeatureKit,
  type FeatureRequest,
  type HeldWork,
  type PolicyGate,
  type ReplayContext,
} from './plugin/feature.ts'
export type { OwnRun, OwnWork, OwnWorkInput, StartedWork } from './plugin/own-work.ts'
export type { TeamCall } from './plugin/admission.ts'
export { addToList, areStored, getMany, heartbeat, layout, makeGroupCommit } from '@harvestman/coordination'
export type { GroupCommit, Layout } from '@harvestman/coordination'
export { historyPort } from './formats/change-tracking.ts'
export type { History, Look, PageKey, Sighting } from './changes/history.ts'
export { combineLimits } from './gates/combine-limits.ts'
export { missingPort } from './plugin/missing-port.ts'
export { teamFeature, type TeamOperations } from './team/feature.ts'
export { lastRequestPort, type FindLastRequest } from './team/queue.ts'
export { check } from './schema/problems.ts'
export { isSameSite } from '@harvestman/site'
// For kinds of jobs.
export {
  defineJob,
  type AnswerFits,
  type EndedJob,
  type AnswerStatus,
  type JobCommand,
  type JobEndpoint,
  type WebhookPayloads,
  type JobThread,
  type JobThreadEndpoint,
  type JobEndpointView,
  type JobEndpointViewCall,
  type JobThreads,
  type ThreadTurn,
  type OtherJob,
  type RequiredPort,
  type StatusOfPart,
  type JobPart,
  type ProgressDefinition,
  type JobWork,
  type KeptStep,
  type PriceKit,
} from './plugin/job.ts'
export {
  type WebHit,
  type PageValue,
  type SiteKit,
  type VisitOutcome,
  type JobVisits,
  type LoadedPage,
  type JobVisitPage,
  type VisitKit,
} from './plugin/job-pages.ts'
export { priceOfPages, type Preview, type PriceReason } from './plugin/price.ts'
export { jobOptions, visitOptions } from './schema/job-options.ts'
export type { PageRequest } from './schema/crawl.ts'
export type { PageOptionsInput, PageOptionsSchema } from './schema/page-options.ts'
export { promptOptions } from './schema/words.ts'
export { defaultLocation, webUrl } from './schema/scrape.ts'
export { webhookHeaders } from './schema/webhook.ts'
export {
  askForText,
  askForValue,
  isModelError,
  listLeafValues,
  loosenSchema,
  mergeValues,
  wordsOfSchema,
} from '@harvestman/asking'
export type { LLMContext, PageQuestion } from '@harvestman/asking'
export {
  citablePage,
  citeStatements,
  citeValues,
  compareCitations,
  quotedTogether,
  quotingRule,
  readStatements,
  versionOf,
  type CitablePage,
  type CitedVersion,
  type Comparison,
} from './citations/citations.ts'
export { citation, claim, filePlace, maxQuote, type Citation, type Claim } from './schema/citation.ts'
export { omittedPart, type OmittedPart } from './schema/omitted.ts'
export type { LLM } from '@harvestman/ports'
export { tariff, tokenPrice } from './credits/tariff.ts'
export { jsonSchema, jsonValue, type SchemaInput } from './schema/json-schema.ts'
