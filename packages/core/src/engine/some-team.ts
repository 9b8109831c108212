/** The team of work that names none. */
export const someTeam = 'default'
