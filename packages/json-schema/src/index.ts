// The public names, one by one. What is not here is not public.
export { findMisfits, sayMisfits, type Misfit } from './check.ts'
export { isSchemaFault, readJsonSchema, type ReadSchema, type SchemaFault } from './read.ts'
export { compilePatterns, isPatternProblem, mostPatterns, type PatternProblem, type Patterns } from './patterns.ts'
