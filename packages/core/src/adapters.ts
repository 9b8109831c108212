// For authors of adapters: what is shared by teams in turns.
export { makeSharedPlaces, type SharedPlaces, type SharedPlacesOptions } from './lib/shared-places.ts'
export { makeTurns, type Turns } from './lib/turns.ts'
// For authors of adapters that strangers speak with: what they say is taken in here.
export { faultText, guarded } from './lib/guarded.ts'
export { largestMessage, makeInbox, type Inbox, type InboxOptions } from './lib/inbox.ts'
export {
  closeCodes,
  hearOn,
  talkOver,
  unread,
  type Hearing,
  type SocketTalk,
  type TalkSocket,
} from './lib/socket-talk.ts'
// For authors of stores: what runs in every one of them, so that it is right in all.
export { inBatches, type BatchOptions } from './stores/in-batches.ts'
export { keyLocks, type KeyLocks } from './stores/key-locks.ts'
export { keyWatchers, type KeyWatchers, type WatchedKeys } from './stores/key-watchers.ts'
export { appendToList, expiryOf, isLive, notAList, packValue, unpackValue, type Packed } from './stores/pack.ts'
// For authors of adapters that speak with a server: long messages in one piece.
export { loneView } from './lib/owned-bytes.ts'
export { wholeReads, type LengthOf } from './lib/whole-reads.ts'
// For authors of searches: what is asked of hits, in the operators that web searches know.
export { withOperators } from './search/operators.ts'
