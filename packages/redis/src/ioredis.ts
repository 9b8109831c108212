// The parts of ioredis that are used.
export { AbstractConnector, Redis, SentinelConnector } from 'ioredis'
