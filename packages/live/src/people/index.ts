// Public exports of `@harvestman/live/people`.
export { people, type PeoplePlugin } from './people.ts'
export { peopleOptionsSchema, type OnPersonNeeded, type PeopleOptions, type PersonNeeded } from './options.ts'
export { personReasons, type PersonReason } from './reasons.ts'
export type { PersonRequest } from './requests.ts'
