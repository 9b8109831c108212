// Public exports, listed by name. Everything else is internal.
export { blocksOf, type Block } from './blocks.ts'
export { choose, wordsOf } from './choose.ts'
export { cutMarkdown, type Chunk, type CutOptions } from './cut.ts'
export { fitMarkdown, partSize, type FitOptions, type FittedText, type OmittedPart } from './fit.ts'
export { linkTo } from './link.ts'
export { makePause, type Pause } from './pauses.ts'
export { measures, type Measure } from './units.ts'
