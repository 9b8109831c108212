// All metrics, with their types, descriptions and the series that exist from the start.
import type { FaultPlace } from '@harvestman/ports'

/** Labels of a series. */
export type Labels = Readonly<Record<string, string>>

interface CounterFamily {
  readonly type: 'counter'
  readonly help: string
  /**
   * The series that start at 0: an alert on growth would miss the first step of a series that appears later. `{}` has no
   * labels.
   */
  readonly zeros: readonly Labels[]
}

interface OtherFamily {
  readonly type: 'histogram' | 'gauge'
  readonly help: string
}

type Family = CounterFamily | OtherFamily

const faultPlaces = { request: '', connection: '', process: '' } as const satisfies Record<FaultPlace, ''>

/** The methods of a store that are measured. */
export const storeCalls = ['get', 'getMany', 'set', 'update', 'delete', 'list', 'add'] as const

/** The metrics by name. */
export const families = {
  harvestman_scrapes_started_total: { type: 'counter', zeros: [{}], help: 'Number of started scrapes.' },
  harvestman_scrapes_total: {
    type: 'counter',
    zeros: [{ outcome: 'completed' }],
    help: 'Number of ended scrapes, by outcome: completed, or the error code.',
  },
  harvestman_scrape_seconds: { type: 'histogram', help: 'Duration of scrapes, regardless of the outcome.' },
  harvestman_step_seconds: { type: 'histogram', help: 'Duration of each step of a scrape.' },
  harvestman_loader_tries_total: {
    type: 'counter',
    zeros: [],
    help: 'Attempts of each loader, by outcome: page, passed or failed.',
  },
  harvestman_credits_total: { type: 'counter', zeros: [{}], help: 'Credits used by scrapes.' },
  harvestman_store_forgotten_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Entries that the store in memory removed before they expired, because it was full.',
  },
  harvestman_store_forgotten_bytes_total: { type: 'counter', zeros: [{}], help: 'Bytes of these entries.' },
  harvestman_warnings_total: { type: 'counter', zeros: [{}], help: 'Warnings to the operator.' },
  harvestman_faults_total: {
    type: 'counter',
    zeros: Object.keys(faultPlaces).map((where) => ({ where })),
    help: 'Internal errors, by place: request, connection or process.',
  },
  harvestman_jobs_stood_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Jobs that stalled and were restarted. Any value but 0 indicates a bug.',
  },
  harvestman_store_went_back_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Runs of jobs that found the store at an earlier state than they had written. The jobs continue from what is there.',
  },
  harvestman_jobs_stranded_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Jobs that had not ended, but were not listed as open. Each was reopened, or ended if its log was lost.',
  },
  harvestman_job_wait_seconds: {
    type: 'histogram',
    help: 'Time that jobs waited for a worker, by takeover: since their start, or since the last write of the previous worker.',
  },
  harvestman_http_requests_total: {
    type: 'counter',
    zeros: [],
    help: 'Responses of the API, by method, route and status code.',
  },
  harvestman_http_seconds: {
    type: 'histogram',
    help: 'Time until the first byte of a response of the API, by route.',
  },
  harvestman_store_seconds: { type: 'histogram', help: 'Duration of store calls, by call.' },
  harvestman_store_errors_total: {
    type: 'counter',
    zeros: storeCalls.map((call) => ({ call })),
    help: 'Number of failed store calls, by call.',
  },
  harvestman_team_jobs_open: {
    type: 'gauge',
    help: 'Open jobs of the teams with the most jobs, on the store that all processes share. All other teams are `other`.',
  },
  harvestman_pages_lent: { type: 'gauge', help: 'Pages of jobs of this process that other processes are loading.' },
  harvestman_webhooks_waiting: {
    type: 'gauge',
    help: 'Messages to webhooks of jobs of this process that were not delivered yet.',
  },
  harvestman_monitor_lag_seconds: {
    type: 'gauge',
    help: 'Delay of the most overdue check of a monitor, on the store that all processes share.',
  },
  harvestman_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop since these metrics were last fetched, by quantile.',
  },
  harvestman_jobs_open: {
    type: 'gauge',
    help: 'Open jobs of all teams, on the store that all processes share.',
  },
  harvestman_jobs_running: { type: 'gauge', help: 'Jobs that this process runs. It holds the lease of each.' },
  harvestman_job_still_seconds: {
    type: 'gauge',
    help: 'Seconds since the last write of the job of this process that has been idle longest. It may wait for a host.',
  },
  harvestman_places: { type: 'gauge', help: 'Page slots of this process.' },
  harvestman_places_taken: { type: 'gauge', help: 'Page slots in use.' },
  harvestman_load: {
    type: 'gauge',
    help: 'The fraction of page slots in use, at most 1.25. Add workers if it is near 1.',
  },
  harvestman_proxy_requests_total: {
    type: 'counter',
    zeros: [],
    help: 'Ended requests through each proxy, by outcome: ok, blocked (by the host), failed (host not reached), down or unknown.',
  },
  harvestman_proxy_bytes_total: { type: 'counter', zeros: [], help: 'Bytes sent and received through each proxy.' },
  harvestman_proxy_cost_total: { type: 'counter', zeros: [], help: 'Cost of each proxy, by its prices.' },
  harvestman_proxy_latency_seconds: {
    type: 'gauge',
    help: 'Moving average of the time until the first byte of a response through each proxy.',
  },
  harvestman_proxy_ready: {
    type: 'gauge',
    help: '1 if the proxy is used, 0 during a cool-down or if its budget is used up.',
  },
  harvestman_proxy_bans: { type: 'gauge', help: 'Number of hosts for which the proxy is not used at the moment.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of the process.' },
  process_uptime_seconds: { type: 'gauge', help: 'Seconds since the process started.' },
} as const satisfies Readonly<Record<string, Family>>

/** The name of a metric. */
export type Name = keyof typeof families
