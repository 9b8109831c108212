// What the engine reads pages with. Not public: it changes with any release, together with @harvestman/core.
export type { Evidence, Filled, FilledValue } from './data/types.ts'
export type { HtmlPage } from './page/page.ts'
export type { PageTree, TreeElement, TreeNode, TreeText } from './page/page-tree.ts'
export { fingerprint } from './readings/fingerprint.ts'
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
export { nextNode, textOf } from './tree/walk.ts'
export { appRootIds, enoughText, loadingClass, loadingText, maxLoadingText, surroundings } from './readings/loading.ts'
