// Shared code for authors of stores. Exports are listed by name: anything not listed is private.
export { type KeyLocks, keyLocks } from './stores/key-locks.ts'
export { type KeyWatchers, type WatchedKeys, keyWatchers } from './stores/key-watchers.ts'
export { damaged, parseStored } from './stores/kept-json.ts'
export { type Packed, packValue, unpackValue, expiryOf, isLive, appendToList, notAList } from './stores/pack.ts'
export {
  type SortedKeys,
  sortedKeys,
  type KeyBounds,
  listBounds,
  fillPage,
  type PagePart,
  compareKeys,
} from './stores/sorted-keys.ts'
