// Values that carry a mark: bytes with one owner, encoded, printed and frozen JSON. All packages must see the same marks, so this code
// cannot be in a private package, of which each published package has a copy.
export { type EncodedJson, copyOfEncoded, encodeJson, encodedJson, isEncodedJson } from './values/encoded-json.ts'
export { deepFreeze } from './values/deep-freeze.ts'
export { frozenJson, isFrozenJson } from './values/frozen-json.ts'
export { jsonOnce, jsonPieces } from './values/json-pieces.ts'
export { ownBytes, ownWhole, loneView, freeAlone, isOwned, share, bufferOf, free } from './values/owned-bytes.ts'
