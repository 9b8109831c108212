// Used by the engine. Not public: may change in any release, together with @harvestman/core.
export type { Evidence, Filled, FilledValue } from './data/types.ts'
export type { FoundMedia, PageMedia } from './readings/media.ts'
export type { PageTree, TreeElement, TreeNode, TreeText } from './page/page-tree.ts'
export { fingerprint } from './readings/fingerprint.ts'
// For readers in other packages.
export { resolveUrl, type Base } from './addresses/urls.ts'
export { wordsOf } from './data/annotations.ts'
export { bounds as dataBounds } from './data/builder.ts'
export { collectData } from './data/collect.ts'
export { conceptsIn, fillSchema } from './data/fill.ts'
export { isHidden } from './data/seen/is-hidden.ts'
export type { SeenPage, Sight, SightReader } from './data/seen/spots.ts'
export { readDay } from './data/dates.ts'
export { pointerStep, readAssignedJson, readScriptJson } from './data/json.ts'
export { isRecord } from './data/shape.ts'
export type { DataItem, PageData, Scalar } from './data/types.ts'
export { numberPattern, readNumber } from './data/values.ts'
export { openPage, type HtmlPage } from './page/page.ts'
export { compileSelector, isProblem, matchesAmong, selectAll, type Selector } from './select/select.ts'
export { makeElement } from './tree/tree.ts'
export { parseHtml } from './parse/parse.ts'
export {
  readHtml,
  type ReadingOptions,
  type ReadingRequest,
  type ReadingScope,
  type ReadValues,
} from './readings/read.ts'
export { toHtml } from './parse/serialize.ts'
export type { Element, Node, Text } from './tree/tree.ts'
export { elementsOf, findElement, lineOf, nextNode, textOf } from './tree/walk.ts'
export { appRootIds, enoughText, loadingClass, loadingText, maxLoadingText, surroundings } from './readings/loading.ts'
// For scripts in pages.
export { boxReason, isIndentedAway, shownBy, type HiddenReason } from './visible/causes.ts'
export { isSameLuminance, luminance, readColor, type Color } from './visible/colors.ts'
export type { HiddenText } from './visible/hidden-text.ts'
export { writeMark, type Mark } from './visible/marks.ts'
export { fillStates, hasState, reveals } from './visible/states.ts'
