export default function ExperimentNotFound() {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">No experiment has this id</h1>
      <p>
        <a href="/experiments" className="link">
          All experiments
        </a>
      </p>
    </div>
  );
}
