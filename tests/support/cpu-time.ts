/**
 * Gives the function that tells how many ms of a processor this process has taken since: what other programs do to a
 * shared machine meanwhile makes a test wait, and this no longer.
 */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
