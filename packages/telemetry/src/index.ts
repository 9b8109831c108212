// The public exports, listed by name. Anything not listed is private.
export { lineLog, type LogLevel, type LogOptions } from './log.ts'
export { measuredStore, type StoreCall } from './measured-store.ts'
export { prometheus, type JobFigures, type Prometheus, type ResponseNote } from './prometheus.ts'
export type { ProxyFigures } from './proxy-series.ts'
export { openTelemetry, type OpenTelemetryApi } from './open-telemetry.ts'
export { redacted } from './redacted.ts'
export { observers } from './observers.ts'
export { startWatchdog, type Watchdog, type WatchdogOptions } from '@harvestman/threads/watchdog'
