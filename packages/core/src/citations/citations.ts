// Public exports of the module.
export { citeStatements, citeValues } from './cite.ts'
export { compareCitations, type Comparison, type Quoted } from './compare.ts'
export { quotedTogether, quotingRule, readStatements, type Statement } from './statements.ts'
export { citablePage, versionOf, type CitablePage, type CitedVersion } from './version.ts'
