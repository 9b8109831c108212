// Only robots.txt, for callers that discover no URLs.
export { makeRobots } from './robots-file.ts'
export { robotsGate } from './robots-gate.ts'
