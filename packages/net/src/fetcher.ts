// For fetchers: the default one, and the parts that another one shares with it.
export { undiciFetcher, type UndiciOptions } from './fetcher/undici.ts'
export { readAnswer, type AnswerSource, type Receiver, type WireAnswer } from './fetcher/answer.ts'
export { badBody, isTooDense, tooDense, tooLarge } from './fetcher/body.ts'
export { exchangeOnLines, keyOf, makeLines, type Line, type Lines } from './fetcher/lines.ts'
export { notHttp, wireErrorOf } from './fetcher/wire-errors.ts'
export { connectWithin, portOf, reach } from './connect/reach.ts'
export { parseProxy } from './connect/proxy-address.ts'
export { refuseInternal } from './connect/proxy.ts'
