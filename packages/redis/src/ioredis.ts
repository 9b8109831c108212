// The client of Redis, of which each room takes what it needs.
export { AbstractConnector, Redis, SentinelConnector } from 'ioredis'
