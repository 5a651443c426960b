/** The English names of the statuses, as the people who report see them. */
export const STATUSES: Readonly<Record<string, string>> = {
  open: 'Received',
  acknowledged: 'Confirmed',
  in_progress: 'In progress',
  resolved: 'Solved',
  closed: 'Closed',
  wontfix: 'Not planned',
}

/** Comes before a version. */
export const FIXED_IN = 'Fixed in '
