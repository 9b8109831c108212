// The public exports, listed by name. Anything not listed is private.
export { makeDispatcher, type Dispatcher } from './dispatcher.ts'
export { defaultManners, type HostAnswer, type Manners } from './politeness.ts'
export { makeScheduler, type Next, type Scheduler, type SchedulerOptions } from './scheduler.ts'
export type { HostTurn, JobTerms } from './terms.ts'
export type { TurnPermitsOptions } from './turn-permits.ts'
