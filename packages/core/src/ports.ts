// For authors of adapters: the ports, and nothing that runs.
export type { Blob, Blobs, KeptBlob, NewBlob } from './ports/blobs.ts'
export type {
  Browser,
  BrowserProfile,
  Landing,
  MakeBrowser,
  PdfOptions,
  ScreenshotOptions,
  Tab,
} from './ports/browser.ts'
export type { OwnedBytes } from './ports/bytes.ts'
export type { Clock } from './ports/clock.ts'
export type { Fetcher, MakeFetcher, TakeBody, WireHead, WireRequest, WireResponse } from './ports/fetcher.ts'
export type { Address, Guard } from './ports/guard.ts'
export type { Account, Bits, Charge, Grant, Held, Hold, Ledger, UsedByKey } from './ports/ledger.ts'
export type { Answer, JsonSchema, LLM, Question, Tool, ToolCall, Turn, Usage } from './ports/llm.ts'
export type { EngineEvent, FaultPlace, LoaderOutcome, Moment, Observer, ScrapeStep } from './ports/observer.ts'
export type { Proxies, Proxy } from './ports/proxies.ts'
export type { Queue, Stop, Task, TaskHandler } from './ports/queue.ts'
export type {
  Search,
  SearchCategory,
  SearchHit,
  SearchQuery,
  SearchSource,
  SearchTime,
  SearchWish,
} from './ports/search.ts'
export type { Code, CodeLanguage, CodeResult, Jail, JailOptions, Sandbox } from './ports/sandbox.ts'
export type {
  Frame,
  LiveAction,
  LiveBrowser,
  LiveTab,
  MakeSessions,
  Screen,
  ScreenInput,
  SessionWish,
  Sessions,
  Snapshot,
  Viewer,
  Wire,
} from './ports/sessions.ts'
export type { KeepOptions, KeptEntry, Store, UpdateOptions } from './ports/store.ts'
export type { Json, Value } from './ports/value.ts'
