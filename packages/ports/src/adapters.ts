// Shared code for authors of adapters, so that every adapter gets it right. Exports are listed by name: anything not listed is
// private.
export { type Fifo, fifo } from './adapters/fifo.ts'
export { systemClock, elapsed } from './adapters/clock.ts'
export { type Backoff, backoffAfter } from './adapters/backoff.ts'
export { type Sequence, makeSequence } from './adapters/sequence.ts'
export { guarded, faultText } from './adapters/guarded.ts'
export { errorCode, errorMessage } from './adapters/error-message.ts'
export { parseJson } from './adapters/parse-json.ts'
export {
  type InboxLimits,
  largestMessage,
  inboxLimits,
  type InboxOptions,
  type Inbox,
  makeInbox,
} from './adapters/inbox.ts'
export {
  type TalkSocket,
  type SocketTalk,
  type TalkOptions,
  closeCodes,
  unread,
  talkOver,
  type Hearing,
  hearOn,
} from './adapters/socket-talk.ts'
export type { GroupLimits } from './adapters/control-groups/bounds.ts'
export {
  type ControlGroup,
  type ControlGroups,
  openControlGroups,
  removeLater,
} from './adapters/control-groups/groups.ts'
export { compoundFileNames, isCompoundFile } from './adapters/compound-file.ts'
export { heldCommand, letGo } from './adapters/control-groups/held-start.ts'
export { groupRemedy, whyNoGroup } from './adapters/control-groups/obstacles.ts'
export { findPlaces, readText } from './adapters/control-groups/places.ts'
export { parseKept, damaged } from './adapters/kept-json.ts'
export { ownBytes, ownWhole, loneView, freeAlone, isOwned, share, bufferOf, free } from './adapters/owned-bytes.ts'
export { type Semaphore, type SemaphoreOptions, makeSemaphore } from './adapters/semaphore.ts'
export { type Turns, makeTurns } from './adapters/turns.ts'
export { type LengthOf, wholeReads, gatherMessages } from './adapters/whole-reads.ts'
export { type Calls, openCalls } from './adapters/calls.ts'
export { type BatchOptions, inBatches } from './adapters/in-batches.ts'
export { type KeyLocks, keyLocks } from './adapters/key-locks.ts'
export { type KeyWatchers, type WatchedKeys, keyWatchers } from './adapters/key-watchers.ts'
export { type Packed, packValue, unpackValue, expiryOf, isLive, appendToList, notAList } from './adapters/pack.ts'
export { withOperators, isWanted, categoryOf } from './adapters/operators.ts'
export { isSoonCopied, joinInTurns } from './adapters/join-in-turns.ts'
export {
  type SortedKeys,
  sortedKeys,
  type KeyBounds,
  listBounds,
  fillPage,
  type PagePart,
  compareKeys,
} from './adapters/sorted-keys.ts'
export { type KeyFamily, type MakeKey, keyFamilies } from './adapters/key-families.ts'
export { numberBytes, numbersIn } from './adapters/number-bytes.ts'
export { pageCall } from './adapters/page-call.ts'
export { nextTurn } from './adapters/next-turn.ts'
export { nodeHttp } from './adapters/node-http.ts'
export { makeNotifier, type Notifier } from './adapters/notifier.ts'
export { type RecentlyUsed, type RecentlyUsedOptions, recentlyUsed } from './adapters/recently-used.ts'
export { untilAborted } from './adapters/until-aborted.ts'
export { lateLibrary } from './adapters/late-library.ts'
export { fileBeside, threadFile } from './adapters/thread-file.ts'
export { estimateTokens } from './adapters/tokens.ts'
export { type Hash64, hash64 } from './adapters/hash64.ts'
export { uuidv7, uuidv8 } from './adapters/uuid.ts'
export { type Parcel, packParcel, parcelPieces, unpackParcel } from './adapters/parcel.ts'
export { retryAfter } from './adapters/retry-after.ts'
export { deepFreeze } from './adapters/deep-freeze.ts'
export { frozenJson, isFrozenJson } from './adapters/frozen-json.ts'
export { type Heap, heap } from './adapters/heap.ts'
export { type EncodedJson, copyOfEncoded, encodeJson, encodedJson, isEncodedJson } from './adapters/encoded-json.ts'
export { jsonOnce, jsonPieces } from './adapters/json-pieces.ts'
export { openJson } from './adapters/open-json.ts'
export { makePrivateFolder, privateFile, restrictSqlite } from './adapters/private-files.ts'
export { hasCredentials, isSealed, openVault, type Vault, type VaultOptions } from './adapters/vault.ts'
