// Only robots.txt, for callers that discover no URLs.
export { makeRobots, textFetcher } from './robots-file.ts'
export { robotsGate } from './robots-gate.ts'
