// Names of the feature columns, in order. The model uses indexes; people and tests use these names.
import { evidenceNames } from './evidence.ts'
import { nearNames } from './marks.ts'
import { factNames } from './page-facts.ts'
import { textFamilyNames } from './text-scan.ts'

/** Number of described containers around a block, each larger than the one before. */
export const levels = 5
/** Offsets of the described neighbours. */
export const reach = [-4, -3, -2, -1, 1, 2, 3, 4] as const

const ownNames = [
  ...['words', 'chars', 'wordLength', 'linkDensity', 'links', 'punctuation', 'digits', 'capitals', 'endsClause'],
  ...['endsSentence', 'startsCapital', 'startsDigit', 'money', 'symbols', 'strong', 'commas', 'stops', 'quotes'],
  ...[
    'ideographs',
    'longest',
    'copies before',
    'copies after',
    'copy away',
    'copy run',
    'copy words',
    'copy looks',
    'pre',
    'breaks',
    'titleOfBlock',
    'titleOfTitle',
    ...evidenceNames,
  ],
  ...['wordScore', 'wordLowest', 'wordHighest', 'nameNear', 'nameLowest', 'nameHighest', 'nameSum'],
  ...textFamilyNames.map((name) => `says ${name}`),
]
const placeNames = [
  ...['place', 'wordPlace', 'index', 'fromEnd', 'depth', 'lists', 'heading', 'tag', 'order', 'siblings', 'boxTag'],
  ...['fromHeadline', 'headlineAbove', 'images', 'headingAway', 'headingLevel', 'headingWords', 'headingSameBox'],
  ...['heading says related', 'heading says comment', 'heading says other'],
]
const levelNames = Array.from({ length: levels }, (_, level) =>
  ['words', 'linkDensity', 'share', 'paragraphs', 'alike', 'images'].map((name) => `up${level} ${name}`),
).flat()
const rootNames = ['score', 'share'].flatMap((kind) =>
  ['inside', 'side', 'share', 'links', 'deeper'].map((name) => `root by ${kind} ${name}`),
)
const repeatNames = ['count', 'words', 'links', 'above', 'ownWords', 'ownLinks'].map((name) => `repeated ${name}`)
const neighbourNames = reach.flatMap((away) =>
  ['words', 'links', 'heading', 'ends'].map((name) => `${name} at ${away}`),
)
const titleNames = [
  ...['section score', 'section lowest', 'section highest', 'over score', 'over lowest'],
  ...Array.from({ length: levels }, (_, level) => [`up${level} opens with`, `up${level} opens in`]).flat(),
]
const pageNames = [
  ...['pageWords', 'pageLinks', 'pageParagraphs', 'paragraphShare', 'pageBlocks', 'articles', 'mainShare', 'forms'],
  ...['prices', 'headings', 'items', 'tables', 'pageImages', 'noscript', 'longestParagraph', 'quotes', 'dates'],
]

export const featureNames: readonly string[] = [
  ...ownNames, ...placeNames, ...levelNames, ...rootNames, ...repeatNames, ...neighbourNames,
  'windowWords', 'windowLinks', 'windowPrices', ...titleNames, ...nearNames, ...pageNames, ...factNames,
] // oxfmt-ignore
