// The public exports, listed by name. Anything not listed is private.
export { findMisfits, misfitsMessage, type Misfit } from './check.ts'
export { isSchemaFault, readJsonSchema, type ReadSchema, type SchemaFault } from './read.ts'
export { compilePatterns, isPatternProblem, maxPatterns, type PatternProblem, type Patterns } from './patterns.ts'
