/** Team of requests that do not specify one. */
export const someTeam = 'default'
