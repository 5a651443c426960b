/** Whether a suite runs in its long form. Files named `*.thorough.ts` say so before they import the suite. */
export const isThorough: boolean = process.env['BUGLE_TEST_SIZE'] === 'thorough'
