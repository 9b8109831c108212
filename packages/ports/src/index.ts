// Everything that an adapter needs: the ports, the values they exchange, and the error class.
export type { Blobs, Blob, NewBlob, KeptBlob } from './blobs.ts'
export type {
  Browser,
  MakeBrowser,
  BrowserIdentity,
  BrowserProfile,
  Tab,
  Landing,
  GotoOptions,
  ReadDocument,
  HiddenMarks,
  ScreenshotOptions,
  PdfOptions,
} from './browser.ts'
export type { StoredCookie } from './stored-cookie.ts'
export type { Traffic, TrafficAnswer, TrafficRequest } from './browser.ts'
export type { Owned, OwnedBytes } from './bytes.ts'
export type { Clock } from './clock.ts'
export type { Embeddings, Embedded, EmbeddingPurpose } from './embeddings.ts'
export type { Fetcher, MakeFetcher, WireRequest, TakeBody, WireHead, WireResponse } from './fetcher.ts'
export type { Guard, Address } from './guard.ts'
export type { Ledger, Account, UsedByKey, Hold, Bits, Held, Charge, Grant } from './ledger.ts'
export type { LLM, Question, Turn, Tool, ToolCall, Answer, Usage, JsonSchema } from './llm.ts'
export type { Observer, EngineEvent, Moment, FaultPlace, LoaderOutcome, ScrapeStep } from './observer.ts'
export type { Ocr, OcrPicture, OcrOptions, OcrText, OcrLine, OcrWord } from './ocr.ts'
export type { Proxies, Proxy, ProxyRequest, ProxyResult, PickedProxy } from './proxies.ts'
export type { Queue, ConsumeOptions, Task, TaskHandler, Stop } from './queue.ts'
export { codeLanguages, sandboxBounds, sandboxModes } from './sandbox.ts'
export type {
  Sandbox,
  JailOptions,
  Jail,
  CodeLanguage,
  Code,
  CodeResult,
  SandboxMode,
  SandboxBound,
} from './sandbox.ts'
export type {
  Search,
  SearchSource,
  SearchWish,
  SearchQuery,
  SearchTime,
  SearchCategory,
  SearchCitation,
  SearchHit,
} from './search.ts'
export type {
  Sessions,
  MakeSessions,
  SessionWish,
  LiveBrowser,
  Wire,
  Snapshot,
  LiveAction,
  Viewer,
  Frame,
  LiveTab,
  Screen,
  ScreenInput,
} from './sessions.ts'
export { withOperators } from './operators.ts'
export { listedKeys } from './store.ts'
export type { Store, KeepOptions, UpdateOptions, ListOptions, ListedEntry, KeptEntry } from './store.ts'
export { type Json, type Value, isRecord } from './value.ts'
export { elapsed, systemClock } from './system-clock.ts'
export { errorCodes, type ErrorCode } from './errors/codes.ts'
export { coverMessages, publicMessage } from './errors/covers.ts'
export { type EngineErrorOptions, type ErrorDetails, EngineError } from './errors/error.ts'
export { messageWith, type Remedies } from './errors/remedies.ts'
