// The public exports, listed by name. Anything not listed is private.
export { memoryStore } from '@harvestman/core'

export { withoutCases, type Contract, type ContractCase } from './contract.ts'
export { blobsContract, type MakeBlobs } from './contracts/blobs.ts'
export { browserContract, tabContract, type MakeBrowserMaker } from './contracts/browser.ts'
export { clockContract, type ClockBench, type MakeClock } from './contracts/clock.ts'
export { embeddingsContract, type MakeEmbeddings } from './contracts/embeddings.ts'
export { fetcherContract, secureFetcherContract } from './contracts/fetcher.ts'
export { ledgerContract, type MakeLedger } from './contracts/ledger.ts'
export { llmContract, type MakeLLM, type ModelReply } from './contracts/llm.ts'
export { ocrContract, pictureOfText, type MakeOcr } from './contracts/ocr.ts'
export { queueAwayContract, queueContract, type MakeAwayQueue, type MakeQueue } from './contracts/queue.ts'
export { queueHoldersContract, type MakeSharedQueue, type SharedQueue } from './contracts/queue-holders.ts'
export { queryFor, searchContract, type MakeSearch } from './contracts/search.ts'
export {
  durableStoreContract,
  failingStoreContract,
  sharedStoreContract,
  type Backend,
  type Failing,
  type MakeBackend,
  type MakeFailing,
} from './contracts/store-more.ts'
export { storeContract, type MakeStore } from './contracts/store.ts'
export {
  endsByItself,
  failureOf,
  freePort,
  serverStoreContract,
  type AdapterModule,
  type MakeStoreServer,
  type StoreServer,
} from './contracts/store-server.ts'
export { engineErrorOf, gate, reasonOf, until } from './contracts/until.ts'

export { brokenKinds, brokenStore, type BrokenKind } from './fakes/broken-store.ts'
export { fakeBrowser, type FakeAction, type FakeBrowser, type FakeBrowserOptions } from './fakes/fake-browser.ts'
export { fakeGuard, RefusedError, type FakeGuard, type FakeGuardOptions } from './fakes/fake-guard.ts'
export { filePassages, twoPageFile } from './fakes/two-page-file.ts'
export { fakeWeb, type FakeAnswer, type FakeWeb, type FakeWebOptions } from './fakes/fake-web.ts'
export { FaultError, flaky, slow, type Delay, type Fault, type FaultKind } from './fakes/faults.ts'
export type { FakePage, FakePages, FakeScripts, FakeTabState, FakeVisit } from './fakes/fake-page.ts'
export { handClock, settle, type HandClock } from './fakes/hand-clock.ts'
export { movedClock, type MovedClock } from './fakes/moved-clock.ts'
export { scriptedLLM, type Reply, type ScriptedLLM } from './fakes/scripted-llm.ts'

export { scriptedSearch, type ScriptedSearch, type SearchReply } from './fakes/scripted-search.ts'

export { atOffset, compoundFile, damagedFile, damages, inChunks, type Damage } from './strangers/files.ts'
export { hostileTexts, hostileValues, spoiled, spoiledByChance } from './strangers/spoiled.ts'

export { encodedPages, type EncodedPage, type EncodingTold } from './site/encodings.ts'
export { goodPages, type GoodPage } from './site/good-pages.ts'
export { mapShapes, type MapShape } from './site/maps.ts'
export {
  answer,
  answerJson,
  answerPage,
  answerRaw,
  type AnswerOptions,
  type Route,
  type SiteState,
  type Visit,
} from './site/route.ts'
export { trapParts, type TrapPart } from './site/traps.ts'
export { siteHandler, siteRoutes, startSite, type SeenRequest, type Site, type SiteOptions } from './site/site.ts'

export { livingSite, type LivingAnswer, type LivingSite, type LivingSiteOptions } from './living/living-site.ts'
export {
  livingDay,
  type Honesty,
  type LivingEvent,
  type PagePlan,
  type PageState,
  type PlanOptions,
} from './living/plan.ts'

export { chance } from './living/chance.ts'
export { drifted, drifts, withoutMarkup, type Drift, type DriftOptions } from './drift/drift.ts'

export { startChatServer, type ChatServer, type ChatServerOptions } from './models/chat-server.ts'
export {
  startEmbeddingServer,
  type EmbeddingReply,
  type EmbeddingServer,
  type EmbeddingServerOptions,
} from './models/embedding-server.ts'
export { hashedVector } from './models/hashed-vector.ts'
export { hostileReplies, hostileSchema, type HostileReply } from './models/hostile.ts'
export type { ChatKnowledge, ChatReply, ChatRequest, ChatRequestBody } from './models/reply.ts'
export { startSearxngServer, type SearxngReply, type SearxngServer } from './search/searxng-server.ts'
