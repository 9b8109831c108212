// For the files that threads of `makeThreads` run: little to load.
export { answerTasks } from './lib/thread.ts'
export { EngineError } from '@harvestman/ports'
